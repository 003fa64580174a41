import { notifierGroups } from '../custom/cells/GroupNames.tsx'
import { NotifierUrl } from '../custom/cells/NotifierUrl.tsx'
import { notification } from '../schemas/notification.ts'
import { column, defineResource, derived, section } from './engine/defineResource.ts'

const sendsBody = ({ request_method }: Record<string, unknown>) => request_method !== 1

export default defineResource(notification, {
  columns: [
    'id',
    'name',
    derived('group', notifierGroups.Cell, notifierGroups),
    column('url', NotifierUrl, { sortValue: false }),
    'verify_tls',
  ],
  filters: ['name', 'request_method', 'verify_tls'],
  form: [
    section('general', ['name', 'url']),
    section('request', ['request_method', 'request_header', 'verify_tls', 'format_metric_units']),
    section('body', ['request_type', 'request_body'], { when: sendsBody }),
    section('test', ['skip_check']),
  ],
})
