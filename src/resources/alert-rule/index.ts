import { dialog } from '../../engine/define/action.ts'
import { column, defineResource } from '../../engine/define/defineResource.ts'
import { field, section, warning } from '../../engine/define/form.ts'
import { alertRule } from '../../schemas/alertRule.ts'
import { isEmptyGroup } from '../../schemas/notificationGroup.ts'
import { notificationSetup } from '../notification/setup/notificationSetup.ts'
import { AlertRules, alertRulesText } from './AlertRules.tsx'

export default defineResource(alertRule, {
  guide: notificationSetup,
  columns: [
    'id',
    'name',
    'notification_group_id',
    'escalation_id',
    'trigger_mode',
    column('rules', {
      Cell: AlertRules,
      sort: false,
      file: ({ rules }, { language }) => alertRulesText(rules, language),
    }),
    'fail_trigger_tasks',
    'recover_trigger_tasks',
    'enable',
  ],
  card: { beside: [], metrics: ['enable', 'trigger_mode'], below: ['rules'] },
  filters: [
    'name',
    'enable',
    'notification_group_id',
    'escalation_id',
    'trigger_mode',
    'fail_trigger_tasks',
    'recover_trigger_tasks',
  ],
  form: [
    'name',
    'enable',
    field('rules', () => import('./AlertRulesInput.tsx'), { wide: true }),
    section('notifications', ['notification_group_id', 'escalation_id', 'trigger_mode']),
    section('tasks', ['fail_trigger_tasks', 'recover_trigger_tasks']),
  ],
  rowActions: [
    dialog('mute', () => import('../mute/MuteDialog.tsx'), {
      access: 'user',
      announced: 'maintenance',
      address: 'mute',
    }),
    'edit',
    'delete',
  ],
  notes: [
    warning('no_group', ({ notification_group_id, escalation_id }) => !notification_group_id && !escalation_id),
    warning('empty_group', isEmptyGroup, { related: 'notification-group' }),
  ],
})
