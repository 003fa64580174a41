import type { alarmCells as english } from '../en-US/alarmCells.ts'
import type { SameShape } from '../types.ts'

/** What the cells of the alarm history say. */
export const alarmCells = {
  alarm: {
    running: 'In corso',
    recovered: 'Rientrato',
    withdrawn: 'Ritirato',
    withdrawn_why:
      'La regola è stata modificata, disattivata o eliminata, oppure il server non c’è più: non si sa se sia rientrato.',
    above: '%{what} %{value}, sopra %{bound}',
    below: '%{what} %{value}, sotto %{bound}',
  },
} satisfies SameShape<typeof english>
