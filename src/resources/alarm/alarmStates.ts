import type { alarmStates } from '../../schemas/alarm.ts'

/** The text keys of the states of an alarm. */
export const alarmStateWords: Readonly<Record<(typeof alarmStates)[number], string>> = {
  running: 'app.alarm.running',
  recovered: 'app.alarm.recovered',
  withdrawn: 'app.alarm.withdrawn',
}
