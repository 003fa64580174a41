import { styled } from '@mui/material/styles'
import { useRecordContext } from 'react-admin'
import { CopyButton } from '../../components/CopyButton.tsx'
import { type Language, useLanguage } from '../../components/format/useLanguage.ts'
import type { Row } from '../../records/queryRows.ts'
import type { alertRule } from '../../schemas/alertRule.ts'
import { ruleTypeText } from './alertRuleText.ts'

/** The metrics that an alert's rules watch, and a button that copies the rules as JSON. */
export function AlertRules() {
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
export function alertRulesText(rules: unknown, language: Language): string {
  const types = Array.isArray(rules) ? rules.map((rule) => String(rule?.type ?? '')) : []
  return types.map((type) => ruleTypeText(type, language)).join(', ')
}

const Frame = styled('span')({
  display: 'flex',
  alignItems: 'center',
  gap: 4,
  '& > span': { maxWidth: '28ch', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
})
