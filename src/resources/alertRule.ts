import { AlertRules } from '../custom/cells/AlertRules.tsx'
import { AlertNotifierGroupInput, AlertRulesInput } from '../custom/inputs/lazyInputs.ts'
import { alertRule } from '../schemas/alertRule.ts'
import { column, defineResource, field, section } from './engine/define/defineResource.ts'

export default defineResource(alertRule, {
  menu: { tabOf: 'notification' },
  columns: [
    'id',
    'name',
    'notification_group_id',
    'trigger_mode',
    column('rules', AlertRules, { sortValue: false }),
    'fail_trigger_tasks',
    'recover_trigger_tasks',
    'enable',
  ],
  filters: ['name', 'enable', 'notification_group_id', 'trigger_mode', 'fail_trigger_tasks', 'recover_trigger_tasks'],
  form: [
    'name',
    'enable',
    field('rules', { Input: AlertRulesInput, wide: true }),
    section('notices', [field('notification_group_id', { Input: AlertNotifierGroupInput }), 'trigger_mode']),
    section('tasks', ['fail_trigger_tasks', 'recover_trigger_tasks']),
  ],
})
