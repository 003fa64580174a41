import type { alarmCells as english } from '../en-US/alarmCells.ts'
import type { SameShape } from '../types.ts'

/** What the cells of the alarm history say. */
export const alarmCells = {
  alarm: {
    running: 'Läuft',
    recovered: 'Behoben',
    withdrawn: 'Zurückgezogen',
    withdrawn_why:
      'Die Regel wurde geändert, deaktiviert oder gelöscht, oder den Server gibt es nicht mehr: Ob der Alarm behoben ist, weiß niemand.',
    above: '%{what} %{value}, über %{bound}',
    below: '%{what} %{value}, unter %{bound}',
  },
} satisfies SameShape<typeof english>
