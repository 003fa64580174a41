import type { RunResult } from '../machines/hosts/host.ts'
import type { TaskRunEnd } from './taskRun.ts'

/** How a run ended, as it is stored. */
export function endOfRun(result: RunResult): TaskRunEnd {
  const rest = { output: result.output.trimEnd(), truncated: result.truncated, reason: null, exit_code: null }
  switch (result.ended) {
    case 'lost':
      return { ...rest, state: 'lost' }
    case 'aborted':
      return { ...rest, state: 'failed', reason: 'killed' }
    case 'timeout':
      return { ...rest, state: 'failed', reason: 'timeout' }
    case 'failed':
      return { ...rest, state: 'failed', reason: 'not_started' }
    case 'exited':
      if (result.exitCode === 0) return { ...rest, state: 'succeeded' }
      if (result.exitCode === null) return { ...rest, state: 'failed', reason: 'killed' }
      return { ...rest, state: 'failed', reason: 'exit_code', exit_code: result.exitCode }
  }
}
