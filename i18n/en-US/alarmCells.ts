/** What the cells of the alarm history say. */
export const alarmCells = {
  alarm: {
    running: 'Running',
    recovered: 'Recovered',
    withdrawn: 'Withdrawn',
    withdrawn_why:
      'The rule was changed, disabled or deleted, or the server is gone: nobody knows whether it has recovered.',
    above: '%{what} %{value}, above %{bound}',
    below: '%{what} %{value}, below %{bound}',
  },
}
