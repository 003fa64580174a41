import { styled } from '@mui/material/styles'
import { useRecordContext } from 'react-admin'
import { CopyButton } from '../../components/CopyButton.tsx'
import type { Language } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { dialog } from '../../engine/define/action.ts'
import { column, defineResource } from '../../engine/define/defineResource.ts'
import { field, section, warning } from '../../engine/define/form.ts'
import type { Row } from '../../records/queryRows.ts'
import { alertRule } from '../../schemas/alertRule.ts'
import { isEmptyGroup } from '../../schemas/notificationGroup.ts'
import { notificationSetup } from '../notification/setup/notificationSetup.ts'
import { ruleTypeText } from './alertRule.ts'

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
    dialog('mute', async () => ({ default: (await import('../mute/MuteDialog.tsx')).MuteDialog }), {
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

/** The metrics that an alert's rules watch, and a button that copies the rules as JSON. */
function AlertRules() {
  const record = useRecordContext<Row<typeof alertRule>>()
  const language = useLanguage()
  if (!record) return null
  const text = alertRulesText(record.rules, language)
  return (
    <Frame title={text}>
      <span>{text}</span>
      <CopyButton
        text={JSON.stringify(record.rules)}
        label={language.translate('resources.alert-rule.values.copy_rules')}
      />
    </Frame>
  )
}

/** The metrics that rules watch, by name. */
function alertRulesText(rules: unknown, language: Language): string {
  const types = Array.isArray(rules) ? rules.map((rule) => String(rule?.type ?? '')) : []
  return types.map((type) => ruleTypeText(type, language)).join(', ')
}

const Frame = styled('span')({
  display: 'flex',
  alignItems: 'center',
  gap: 4,
  '& > span': { maxWidth: '28ch', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
})
