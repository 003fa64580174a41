import type { FileColumns } from '../../resources/engine/define/column.ts'
import { taskResultOf } from '../cells/taskCells.tsx'

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
