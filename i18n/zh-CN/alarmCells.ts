import type { alarmCells as english } from '../en-US/alarmCells.ts'
import type { SameShape } from '../types.ts'

/** What the cells of the alarm history say. */
export const alarmCells = {
  alarm: {
    running: '进行中',
    recovered: '已恢复',
    withdrawn: '已撤销',
    withdrawn_why: '规则已被修改、停用或删除，或服务器已不存在：无法得知是否已恢复。',
    above: '%{what} %{value}，高于 %{bound}',
    below: '%{what} %{value}，低于 %{bound}',
  },
} satisfies SameShape<typeof english>
