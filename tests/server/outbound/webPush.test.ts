import { describe, expect, it } from 'vitest'
import { encryptFor, maxPayload, pushKeysIn } from '../../../server/outbound/webPush.ts'
import { pushUrlOf, readPushUrl } from '../../../src/schemas/formats/pushUrl.ts'
import { readSender, testDevice } from '../../support/fakes/pushService.ts'
import { emptyStore } from '../../support/server/emptyStore.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

describe('a message to a device', () => {
  it('is encrypted as in the example of RFC 8291', () => {
    const device = {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    }
    const once = {
      salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
      privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
    }
    const encrypted = encryptFor(device, Buffer.from('When I grow up, I want to be a watermelon'), once)
    expect(Buffer.from(encrypted).toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_' +
        'yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
  })

  it('may be as long as push services must take it, and not longer', () => {
    const { subscription } = testDevice('https://push.example.org/a')
    expect(encryptFor(subscription, Buffer.alloc(maxPayload))).toHaveLength(4096)
    expect(() => encryptFor(subscription, Buffer.alloc(maxPayload + 1))).toThrow('longer than 3993 bytes')
  })

  it('is refused for a key that is none', () => {
    const p256dh = `B${'A'.repeat(86)}`
    expect(() => encryptFor({ p256dh, auth: 'A'.repeat(22) }, Buffer.of(1))).toThrow('p256dh is not the public key')
  })
})

describe('the key of a server', () => {
  it('is made at its first use, stays the same, and signs who sends to whom until when', async () => {
    const store = await emptyStore()
    const now = () => Date.parse('2026-11-21T00:00:00Z')
    const keys = pushKeysIn(store, 'https://console.example.org', now)
    expect(store.value('push_key')).toBeUndefined()
    const key = keys.publicKey()
    expect(pushKeysIn(store, '', now).publicKey()).toBe(key)
    const authorization = keys.authorization('https://push.example.org')
    expect(readSender({ authorization })).toEqual({
      key,
      head: { typ: 'JWT', alg: 'ES256' },
      claims: { aud: 'https://push.example.org', exp: 1_795_262_400, sub: 'https://console.example.org' },
    })
  })
})

describe('the address of a device', () => {
  const { subscription } = testDevice('https://push.example.org:8443/send/a%2Fb?token=c%3D')

  it('has all that a browser tells', () => {
    const url = pushUrlOf(subscription)
    expect(url).toMatch(
      /^webpush:\/\/push\.example\.org:8443\/send\/a%2Fb\?token=c%3D#p256dh=B[\w-]{86}&auth=[\w-]{22}$/,
    )
    expect(readPushUrl(url)).toEqual(subscription)
  })

  it.each([
    ['https://push.example.org/a'],
    ['webpush://push.example.org/a'],
    ['webpush:push.example.org/a#p256dh=B&auth=A'],
    [pushUrlOf({ ...subscription, endpoint: 'https://me:secret@push.example.org/a' })],
    [pushUrlOf({ ...subscription, endpoint: 'https://' })],
    [pushUrlOf({ ...subscription, auth: 'short' })],
    [pushUrlOf({ ...subscription, p256dh: subscription.p256dh.slice(1) })],
    [`${pushUrlOf(subscription)}#more`],
  ])('is not %s', (url) => expect(readPushUrl(url)).toBeUndefined())
})
