import { styled } from '@mui/material/styles'
import { useRecordContext, useTranslate } from 'react-admin'
import { alertRuleTypes } from '../../schemas/alerts/alertRuleTypes.ts'
import { CopyButton } from '../components/CopyButton.tsx'

/** The metrics that an alert's rules watch, and a button that copies the rules as JSON. */
export function AlertRules() {
  const record = useRecordContext()
  const translate = useTranslate()
  if (!record) return null
  const rules: unknown[] = Array.isArray(record.rules) ? record.rules : []
  const types = rules.map((rule) => String((rule as { type?: unknown } | null)?.type ?? ''))
  const names = types.map((type) =>
    type in alertRuleTypes ? translate(`resources.alert-rule.values.type_${type}`) : type,
  )
  return (
    <Frame title={names.join(', ')}>
      <span>{names.join(', ')}</span>
      <CopyButton text={JSON.stringify(record.rules)} label={translate('resources.alert-rule.values.copy_rules')} />
    </Frame>
  )
}

const Frame = styled('span')({
  display: 'flex',
  alignItems: 'center',
  gap: 4,
  '& > span': { maxWidth: '28ch', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
})
