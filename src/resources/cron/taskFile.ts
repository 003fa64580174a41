import type { FileColumns } from '../../engine/define/column.ts'
import { taskResultOf } from './taskCells.tsx'

export const taskFile: FileColumns = {
  last_result: [
    {
      text: (row, { language: { translate } }) => {
        const result = taskResultOf(row)
        return result === undefined ? '' : translate(`resources.cron.values.${result}`)
      },
    },
  ],
}
