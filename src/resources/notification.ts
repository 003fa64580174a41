import { notifierGroups } from '../custom/cells/groupNames.tsx'
import { NotifierUrl } from '../custom/cells/NotifierUrl.tsx'
import { KeyValueInput, NotifierBodyInput, NotifierUrlInput } from '../custom/inputs/lazyInputs.ts'
import { notification } from '../schemas/notification.ts'
import { column, defineResource, derived, field, section } from './engine/define/defineResource.ts'

const sendsBody = ({ request_method }: Record<string, unknown>) => request_method !== 1

export default defineResource(notification, {
  columns: [
    'id',
    'name',
    derived('group', notifierGroups.Cell, notifierGroups),
    column('url', NotifierUrl, { sortValue: false }),
    'verify_tls',
  ],
  filters: ['name', 'request_method', 'request_type', 'verify_tls'],
  form: [
    section('general', ['name', field('url', { Input: NotifierUrlInput })]),
    section('request', [
      'request_method',
      field('request_header', { Input: KeyValueInput }),
      'verify_tls',
      'format_metric_units',
    ]),
    section('body', ['request_type', field('request_body', { Input: NotifierBodyInput })], { when: sendsBody }),
    section('test', ['skip_check']),
  ],
})
