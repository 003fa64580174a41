import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventTypes } from '../../../src/schemas/webhooks/eventTypes.ts'
import { isSigningSecret, keyBytes, newSigningSecret } from '../../../src/schemas/webhooks/signingSecret.ts'
import { webhookEvent } from '../../../src/schemas/webhooks/webhookEvent.ts'
import { root } from '../../support/root.ts'

describe('The guide on webhooks', () => {
  const guide = readFileSync(join(root, 'docs/guides/webhooks.md'), 'utf8')
  const examples = [...guide.matchAll(/```json\n(.*?)\n```/gs)].map(([, json = '']) => JSON.parse(json) as unknown)

  it('has an example of each event, as the schema has it', () => {
    const types = examples.map((example) => webhookEvent.parse(example).type)
    expect(types.toSorted()).toEqual([...eventTypes, 'test'].toSorted())
  })
})

describe('A signing secret', () => {
  const ofBytes = (count: number) => `whsec_${Buffer.alloc(count, 7).toString('base64')}`

  it('has 24 to 64 bytes in base64 behind its prefix', () => {
    expect([keyBytes.min, keyBytes.max].map((count) => isSigningSecret(ofBytes(count)))).toEqual([true, true])
    const wrong = [ofBytes(23), ofBytes(65), ofBytes(32).replace('whsec_', ''), `${ofBytes(32)}\n`, 'whsec_', 'whsec_ü']
    expect(wrong.filter(isSigningSecret)).toEqual([])
  })

  it('is made anew each time', () => {
    const made = [newSigningSecret(), newSigningSecret()]
    expect(made.every(isSigningSecret)).toBe(true)
    expect(made[0]).not.toBe(made[1])
  })
})
