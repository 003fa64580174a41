import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { conditionsOfUnits } from '../../../server/inspect/conditions/conditions.ts'
import { failure } from '../../../server/inspect/machine/programs.ts'
import { createAnswers } from '../../../server/inspect/questions/answers.ts'
import { tellProcesses } from '../../../server/inspect/questions/readings.ts'
import { parseSystemd } from '../../../server/inspect/subjects/units.ts'

const count = 200
/** Bytes of what each machine says. */
const size = 500_000

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

function heapUsed(): number {
  if (typeof collect !== 'function') throw new Error('Garbage cannot be collected.')
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

/** A text of a size of its own in memory, as what a machine sends is. */
const output = (beginning: string, end = '') => Buffer.from(`${beginning}${'x'.repeat(size)}${end}`).toString()

it.each<[string, (answers: ReturnType<typeof createAnswers>, index: number) => unknown]>([
  ['a long answer', (answers, index) => answers.add(index, 'web', { text: output(`${index} `) })],
  [
    'one process of many',
    (answers, index) =>
      answers.add(index, 'web', tellProcesses(output(`90\n 7 1 java -jar number-${index}.jar\n 8 1 `), 'java')),
  ],
  [
    'an error',
    (answers, index) => {
      const { silence, message, detail } = failure(output('', `\nthere is no such file: ${index}`))
      answers.addUnanswered(index, 'web', { cause: silence, reason: message, detail })
    },
  ],
  [
    'a failed unit',
    (_, index) => conditionsOfUnits(parseSystemd(output(`i=backup-of-${index}.service\na=failed\n\ni=y.service\na=`))),
  ],
])('of %s no more is kept in memory than is shown', (_, keep) => {
  const before = heapUsed()
  const answers = createAnswers(() => Number.POSITIVE_INFINITY)
  const kept = Array.from({ length: count }, (_item, index) => keep(answers, index))
  // Of a long answer 4 Mi characters are.
  expect(heapUsed() - before).toBeLessThan(20_000_000)
  expect(kept).toHaveLength(count)
  expect(answers.count()).toBeLessThanOrEqual(count)
})
