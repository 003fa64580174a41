/** Loads one of the inputs for times, days and zones, for `field`. */
export const timeInput = (name: 'LocalTimeInput' | 'DayInput' | 'TimeOfDayInput' | 'TimeZoneInput') => () =>
  import('./timeInputs.tsx').then((inputs) => ({ default: inputs[name] }))
