import { type ActionToast, action, dialog } from '../../engine/define/action.ts'
import { defineResource } from '../../engine/define/defineResource.ts'
import { type FormValues, field, section, warning } from '../../engine/define/form.ts'
import { coverAlarmed, coverOnly, cron } from '../../schemas/cron.ts'
import type { ReplyOf } from '../../schemas/define/endpoint.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { isEmptyGroup } from '../../schemas/notificationGroup.ts'
import { columns } from './columns.tsx'

type Form = FormValues<typeof cron>

const isScheduled = ({ task_type }: Form) => task_type === 0
const isBlank = (value: unknown) => !String(value ?? '').trim()
const hasServers = ({ cover }: Form) => cover !== coverAlarmed

/** Where a task was started. Nezha servers do not say: then the stored task shows whether it can run at all. */
function startedToast(reply: ReplyOf<typeof endpoints.runCron>, [task = {}]: readonly Form[]): ActionToast {
  const runsNowhere = reply ? reply.started + reply.offline === 0 : task.cover === coverOnly && isBlank(task.servers)
  if (runsNowhere) return { key: 'resources.cron.values.no_servers', type: 'warning' }
  if (isBlank(task.command)) return { key: 'resources.cron.values.no_command', type: 'warning' }
  if (!reply) return { key: 'resources.cron.actions.run.done', type: 'info' }
  const { started, offline } = reply
  const link = { address: 'runs', labelKey: 'resources.cron.values.show_runs' }
  if (started === 0)
    return { key: 'resources.cron.values.all_offline', args: { smart_count: offline }, type: 'warning', link }
  const key = offline > 0 ? 'resources.cron.values.started_offline' : 'resources.cron.values.started'
  return { key, args: { smart_count: started, offline }, type: offline > 0 ? 'warning' : 'success', link }
}

export default defineResource(cron, {
  columns,
  card: { beside: ['last_result'], metrics: ['last_executed_at', 'next_run'], below: ['command'] },
  filters: [
    'name',
    'task_type',
    'command',
    'scheduler',
    'cover',
    'servers',
    'notification_group_id',
    'push_successful',
    'last_result',
  ],
  form: [
    'name',
    'task_type',
    section('schedule', [field('scheduler', () => import('./CronInput.tsx'))], { when: isScheduled }),
    'command',
    section('servers', ['cover']),
    section('', ['servers'], { when: hasServers }),
    section('notifications', ['notification_group_id', 'push_successful']),
  ],
  notes: [
    warning('no_command', ({ command }) => isBlank(command)),
    warning('no_servers', ({ cover, servers }) => cover === coverOnly && isBlank(servers)),
    warning('empty_group', isEmptyGroup, { related: 'notification-group' }),
  ],
  rowActions: [
    action('run', endpoints.runCron, { when: hasServers, report: startedToast, right: 'act' }),
    dialog('runs', () => import('./TaskRunsDialog.tsx'), {
      access: 'user',
      announced: 'task_runs',
      address: 'runs',
      right: 'act',
    }),
    'edit',
    'delete',
  ],
})
