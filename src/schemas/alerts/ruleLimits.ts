/** As servers decide: by the ending, even for unknown types. */
export const isCycleType = (type: unknown): boolean => String(type).endsWith('_cycle')

export const cycleUnits = ['hour', 'day', 'week', 'month', 'year'] as const

/** Seconds between two samples. */
export const sampleSeconds = 3

/** Minimum `duration` of a rule, in samples. */
export const minSamples = 3

/** Seconds of `recovery_duration`, at most: a day, as rules look back no further either. */
export const maxRecoverySeconds = 86_400

/** The fields of a rule that only the embedded server knows. Rules keep what other servers do not know. */
export const recoveryFields = ['recovery_min', 'recovery_max', 'recovery_duration'] as const
