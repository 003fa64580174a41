import { terminalLimits } from '../../../schemas/frames/terminal.ts'

/** Lines that can be scrolled back to. */
export const scrollbackLines = 10_000
/** All lines that a screen shows, scrolled back as far as possible; no window is taller than the last of them. */
export const historyLines = scrollbackLines + terminalLimits.rows.max
