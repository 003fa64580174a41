import type { FileColumns } from '../../engine/define/column.ts'
import { deliveryStateText } from './deliveryCells.tsx'

export const deliveryFile: FileColumns = {
  state: [{ text: (row, { language }) => deliveryStateText(row, language.translate) }],
}
