import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../support/root.ts'

/** Seconds of the processor, after which a program that does not come to its end is ended. */
const processorSeconds = 5

it('a connection of HTTP/2 that is lost before its replies were sent holds nobody up', () => {
  const program = join(root, 'tests/support/server/process/resetAfterReplies.ts')
  // In a process of its own: the loop is below JavaScript, and fills the memory.
  const { stdout } = spawnSync('sh', ['-c', `ulimit -t ${processorSeconds}; exec "$0" "$1"`, process.execPath, program])
  expect(String(stdout)).toBe('alive\n')
})
