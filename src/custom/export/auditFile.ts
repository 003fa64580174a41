import type { FileColumns } from '../../resources/engine/define/column.ts'
import { auditDetailText, auditUserText } from '../cells/auditCells.tsx'
import { auditActionText, auditTargetText } from '../cells/auditTarget.tsx'

export const auditFile: FileColumns = {
  username: [{ text: auditUserText }],
  action: [{ text: (row, { language }) => auditActionText(row, language.translate) }],
  target: [{ text: (row, { language }) => auditTargetText(row, language.translate) }],
  detail: [{ text: auditDetailText }],
}
