import type { alarmCells as english } from '../en-US/alarmCells.ts'
import type { SameShape } from '../types.ts'

/** What the cells of the alarm history say. */
export const alarmCells = {
  alarm: {
    running: '進行中',
    recovered: '已恢復',
    withdrawn: '已撤銷',
    withdrawn_why: '規則已被修改、停用或刪除，或伺服器已不存在：無法得知是否已恢復。',
    above: '%{what} %{value}，高於 %{bound}',
    below: '%{what} %{value}，低於 %{bound}',
  },
} satisfies SameShape<typeof english>
