import Typography from '@mui/material/Typography'
import { useRecordContext, useTranslate } from 'react-admin'
import { CopyCell } from '../../components/cells/CopyCell.tsx'
import { notifierGroups } from '../../components/cells/groupNames.tsx'
import { ResultText } from '../../components/cells/ResultText.tsx'
import { dialog } from '../../engine/define/action.ts'
import { column, defineResource, derived } from '../../engine/define/defineResource.ts'
import { type FormValues, field, section, warning } from '../../engine/define/form.ts'
import type { Row } from '../../records/queryRows.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { isMailUrl } from '../../schemas/formats/mailUrl.ts'
import { notification } from '../../schemas/notification.ts'
import { notificationSetup } from './setup/notificationSetup.ts'

const notifierInputs = () => import('./notifierInputs.tsx')

type Form = FormValues<typeof notification>

const isRequest = ({ url }: Form) => !isMailUrl(url ?? '')
const sendsEvents = (values: Form) => isRequest(values) && values.send_events === true
const sendsMessages = (values: Form) => isRequest(values) && !sendsEvents(values)
const sendsBody = (values: Form) => sendsMessages(values) && values.request_method !== 1

export default defineResource(notification, {
  guide: notificationSetup,
  columns: [
    'id',
    'name',
    derived('group', notifierGroups.column),
    column('url', { Cell: NotifierUrl, sort: false }),
    'verify_tls',
  ],
  card: { beside: [], metrics: ['group', 'verify_tls'], below: ['url'] },
  filters: ['name', 'request_method', 'request_type', 'verify_tls'],
  form: [
    section('general', ['name', field('url', async () => ({ default: (await notifierInputs()).NotifierUrlInput }))]),
    section('', ['send_events'], { when: isRequest }),
    section(
      '',
      [
        field('signing_secret', async () => ({
          default: (await import('./notifierInputs.tsx')).SigningSecretInput,
        })),
      ],
      { when: sendsEvents },
    ),
    section('request', ['request_method'], { when: sendsMessages }),
    section('', [field('request_header', () => import('../../components/inputs/KeyValueInput.tsx'))], {
      when: isRequest,
    }),
    section('', ['verify_tls']),
    section('', ['format_metric_units'], { when: sendsMessages }),
    section(
      'body',
      ['request_type', field('request_body', async () => ({ default: (await notifierInputs()).NotifierBodyInput }))],
      { when: sendsBody },
    ),
    section('test', [field('skip_check', async () => ({ default: (await notifierInputs()).NotifierTestInput }))]),
  ],
  memberOf: { entity: 'notification-group', members: 'notifications' },
  notes: [warning('no_mail', ({ url }, { announced }) => isMailUrl(url ?? '') && !announced('notifiers'))],
  rowActions: [
    dialog('test', async () => ({ default: (await import('./notifierDialogs.tsx')).NotifierTestDialog }), {
      access: endpoints.testNotifier.access,
    }),
    dialog('reveal', async () => ({ default: (await import('./notifierDialogs.tsx')).NotifierUrlDialog }), {
      access: endpoints.revealNotifier.access,
      announced: 'notifiers',
    }),
    'edit',
    'delete',
  ],
})

/** The address of a notifier with a copy button, where the server shows it; or that its receiver refused events. */
function NotifierUrl() {
  const record = useRecordContext<Row<typeof notification>>()
  const translate = useTranslate()
  if (record?.stopped_at) {
    return <ResultText data-result="failed">{translate('resources.notification.values.stopped')}</ResultText>
  }
  if (record?.url) return <CopyCell source="url" />
  return (
    <Typography component="span" variant="inherit" color="textSecondary">
      {translate('resources.notification.values.url_concealed')}
    </Typography>
  )
}
