import type { FileColumns } from '../../resources/engine/define/column.ts'
import { alertRulesText } from '../cells/alerts/AlertRules.tsx'

export const alertRuleFile: FileColumns = {
  rules: [{ text: ({ rules }, { language }) => alertRulesText(rules, language) }],
}
