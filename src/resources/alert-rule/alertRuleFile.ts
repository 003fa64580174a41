import type { FileColumns } from '../../engine/define/column.ts'
import { alertRulesText } from './AlertRules.tsx'

export const alertRuleFile: FileColumns = {
  rules: [{ text: ({ rules }, { language }) => alertRulesText(rules, language) }],
}
