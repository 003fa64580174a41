import { expect, it } from 'vitest'
import { createRareWarning } from '../../../server/http/rareWarning.ts'

it('the log says each kind of refusal once in ten minutes, whatever else was refused', () => {
  const logged: string[] = []
  let now = 0
  const warn = createRareWarning({ warn: (text) => logged.push(text) }, () => now)
  for (const address of ['10.0.0.1', '10.0.0.2']) {
    warn(`Connections from ${address} are refused.`, 'connections')
    warn(`Sockets of ${address} are refused.`, 'sockets')
  }
  expect(logged).toEqual(['Connections from 10.0.0.1 are refused.', 'Sockets of 10.0.0.1 are refused.'])
  now = 10 * 60_000
  warn('Sockets of 10.0.0.3 are refused.', 'sockets')
  // The clock was set back.
  now = -10 * 60_000
  warn('Connections from 10.0.0.3 are refused.', 'connections')
  expect(logged.slice(2)).toEqual(['Sockets of 10.0.0.3 are refused.', 'Connections from 10.0.0.3 are refused.'])
})

it('the log keeps no list of whatever strangers make up', () => {
  const logged: string[] = []
  const warn = createRareWarning({ warn: (text) => logged.push(text) }, () => 0)
  warn('first', 'first')
  for (let number = 0; number < 1000; number++) warn('made up', `made up ${number}`)
  warn('first', 'first')
  expect(logged.filter((text) => text === 'first')).toHaveLength(2)
  warn('made up', 'made up 999')
  expect(logged).toHaveLength(1002)
})
