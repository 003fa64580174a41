import { TaskResultsDialog } from '../custom/actions/lazyDialogs.ts'
import { TaskCommand, TaskResult } from '../custom/cells/taskCells.tsx'
import { CronInput } from '../custom/inputs/lazyInputs.ts'
import { coverAlarmed, cron } from '../schemas/cron.ts'
import { endpoints } from '../schemas/endpoints/index.ts'
import { action, column, defineResource, dialog, field, section } from './engine/define/defineResource.ts'

const isScheduled = ({ task_type }: Record<string, unknown>) => task_type === 0
const hasServers = ({ cover }: Readonly<Record<string, unknown>>) => cover !== coverAlarmed

export default defineResource(cron, {
  columns: [
    'id',
    'name',
    'task_type',
    'scheduler',
    column('command', TaskCommand),
    'notification_group_id',
    'push_successful',
    'cover',
    'servers',
    'last_executed_at',
    column('last_result', TaskResult),
  ],
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
    section('schedule', [field('scheduler', { Input: CronInput })], { when: isScheduled }),
    'command',
    section('servers', ['cover']),
    section('', ['servers'], { when: hasServers }),
    section('notices', ['notification_group_id', 'push_successful']),
  ],
  rowActions: [
    action('run', endpoints.runCron, { when: hasServers }),
    dialog('results', TaskResultsDialog, { access: endpoints.taskResults.access, announced: 'task_results' }),
    'edit',
    'delete',
  ],
})
