import type { FileColumns } from '../../resources/engine/define/column.ts'
import { deliveryStateText } from '../cells/notifications/deliveryCells.tsx'

export const deliveryFile: FileColumns = {
  state: [{ text: (row, { language }) => deliveryStateText(row, language.translate) }],
}
