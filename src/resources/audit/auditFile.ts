import type { FileColumns } from '../../engine/define/column.ts'
import { auditDetailText, auditUserText } from './auditCells.tsx'
import { auditActionText, auditTargetText } from './auditTarget.tsx'

export const auditFile: FileColumns = {
  username: [{ text: auditUserText }],
  action: [{ text: (row, { language }) => auditActionText(row, language.translate) }],
  target: [{ text: (row, { language }) => auditTargetText(row, language.translate) }],
  detail: [{ text: auditDetailText }],
}
