// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { request } from '../../../src/api/apiClient.ts'
import { dropEarlyReplies, earlyReply, fetchEarly } from '../../../src/session/earlyReplies.ts'
import { endSession, startSession } from '../../../src/session/sessionGate.ts'
import { calls, failure, fakeServer } from '../../support/fakes/fakeServer.ts'

afterEach(() => {
  dropEarlyReplies()
  vi.useRealTimers()
})

describe('Data that the start asked for early', () => {
  it('is given to the first call, and the next one asks the server again', async () => {
    let version = 0
    const requests = fakeServer({ 'GET server': () => ++version })
    fetchEarly('server')
    fetchEarly('server')
    expect(await request('GET', 'server')).toBe(1)
    expect(await request('GET', 'server')).toBe(2)
    expect(calls(requests)).toEqual(['GET server', 'GET server'])
  })

  it('may be read before it is given away', async () => {
    const requests = fakeServer({ 'GET setting': () => 'the settings' })
    fetchEarly('setting')
    expect((await earlyReply('setting'))?.text).toContain('the settings')
    expect(await request('GET', 'setting')).toBe('the settings')
    expect(calls(requests)).toEqual(['GET setting'])
  })

  it('fails with the words of the server, or as unreachable, where the call is made', async () => {
    fakeServer({ 'GET server': () => failure('the disk is full', 500) })
    fetchEarly('server')
    await expect(request('GET', 'server')).rejects.toMatchObject({ message: 'the disk is full', status: 500 })
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no route')))
    fetchEarly('server')
    await expect(request('GET', 'server')).rejects.toMatchObject({ status: 0 })
  })

  it('never answers a call that writes', async () => {
    const requests = fakeServer({ 'GET server': () => 'read', 'POST server': () => 'written' })
    fetchEarly('server')
    expect(await request('POST', 'server')).toBe('written')
    expect(calls(requests)).toEqual(['GET server', 'POST server'])
  })

  it('is asked for again after a minute', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    let version = 0
    fakeServer({ 'GET server': () => ++version })
    fetchEarly('server')
    vi.advanceTimersByTime(61_000)
    expect(await request('GET', 'server')).toBe(2)
  })

  it('is what the page has asked for by itself, once', async () => {
    const requests = fakeServer({ 'GET profile': () => 'asked again' })
    const text = JSON.stringify({ success: true, data: 'asked by the page' })
    window.earlyReplies = { profile: Promise.resolve({ response: new Response(text), text }) }
    fetchEarly('profile')
    expect(await request('GET', 'profile')).toBe('asked by the page')
    expect(await request('GET', 'profile')).toBe('asked again')
    expect(calls(requests)).toEqual(['GET profile'])
  })

  it('of a session that has ended is not shown in the next one', async () => {
    let version = 0
    fakeServer({ 'GET server': () => ++version })
    fetchEarly('server')
    void endSession()
    startSession({ id: 1, fullName: 'ann', role: 0 })
    expect(await request('GET', 'server')).toBe(2)
  })
})
