// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest'
import { preferenceStore } from '../../../src/app/preferenceStore.ts'
import { createQueryClient } from '../../../src/records/queryClient.ts'
import { forgetCurrentUser, lastUserId, setCurrentUser, userFromProfile } from '../../../src/session/currentUser.ts'
import { clearSavedNames, savedName, saveNames } from '../../../src/storage/savedNames.ts'

afterEach(() => {
  clearSavedNames()
  // In the tests of other files of this process, a sign-in of somebody else would load the page anew.
  forgetCurrentUser()
  localStorage.clear()
})

const stored = (key: string) => JSON.parse(localStorage.getItem(key) ?? 'null')

describe('The choices about tables', () => {
  const open = () => {
    const store = preferenceStore()
    store.setup()
    return store
  }

  it('are saved for the next visit; selections and the rest are not', () => {
    const store = open()
    store.setItem('table.dense', true)
    store.setItem('views.server', [{ name: 'mine', search: '?q=x' }])
    store.setItem('server.selectedIds', [1, 2])
    store.teardown()
    const next = open()
    expect(next.getItem('table.dense')).toBe(true)
    expect(next.getItem('views.server')).toEqual([{ name: 'mine', search: '?q=x' }])
    expect(next.getItem('server.selectedIds', 'none')).toBe('none')
    next.teardown()
  })

  it('survive the store reset of a sign-out', () => {
    const store = open()
    store.setItem('table.pageSize', 50)
    store.setItem('server.selectedIds', [1])
    store.reset()
    expect([store.getItem('table.pageSize'), store.getItem('server.selectedIds')]).toEqual([50, undefined])
    store.teardown()
  })

  it('follow the choices made in another tab', () => {
    const store = open()
    const values: unknown[] = []
    store.subscribe('table.dense', (value) => values.push(value))
    const key = 'wheelhouse.choices.table.dense'
    window.dispatchEvent(new StorageEvent('storage', { key, newValue: 'true' }))
    window.dispatchEvent(new StorageEvent('storage', { key, newValue: null }))
    expect(values).toEqual([true, undefined])
    expect(store.getItem('table.dense', 'unset')).toBe('unset')
    store.teardown()
  })

  it('that were removed or are unreadable count as unset', () => {
    localStorage.setItem('wheelhouse.choices.table.pageSize', '{broken')
    const store = open()
    expect(store.getItem('table.pageSize') ?? 10).toBe(10)
    store.setItem('table.dense', true)
    store.removeItem('table.dense')
    expect(localStorage.getItem('wheelhouse.choices.table.dense')).toBeNull()
    store.teardown()
  })
})

describe('The saved names of a list', () => {
  const rows = [
    { id: 7, name: 'web', note: 'secret' },
    { id: 8, name: '' },
  ]

  it('are those of servers and notifiers, without any other field', () => {
    const client = createQueryClient()
    const stop = saveNames(client)
    for (const entity of ['server', 'notification', 'ddns']) client.setQueryData(['collection', entity], rows)
    stop()
    expect(stored('wheelhouse.names.server')).toEqual({ 7: 'web' })
    expect(stored('wheelhouse.names.notification')).toEqual({ 7: 'web' })
    expect(localStorage).toHaveLength(2)
    expect([savedName('server', 7), savedName('server', 8), savedName('ddns', 7)]).toEqual([
      'web',
      undefined,
      undefined,
    ])
  })

  it('are saved also of a list that has arrived before', () => {
    const client = createQueryClient()
    client.setQueryData(['collection', 'server'], rows)
    saveNames(client)()
    expect(stored('wheelhouse.names.server')).toEqual({ 7: 'web' })
  })

  it('are cleared at once', () => {
    const client = createQueryClient()
    saveNames(client)
    client.setQueryData(['collection', 'server'], rows)
    clearSavedNames()
    expect([savedName('server', 7), localStorage.length]).toEqual([undefined, 0])
  })
})

describe('A profile', () => {
  it('is saved in the browser as id, name, role and address, without secrets', () => {
    const profile = { id: 3, username: 'eve', role: 1, login_ip: '::1', agent_secret: 'x', password: 'hash' }
    setCurrentUser(userFromProfile(profile))
    expect(stored('wheelhouse.person')).toEqual({ id: 3, fullName: 'eve', role: 1, loginIp: '::1' })
    expect(lastUserId()).toBe(3)
  })

  it('of an old server leaves out the role of an admin', () => {
    expect(userFromProfile({ id: 1, username: 'admin' })).toEqual({ id: 1, fullName: 'admin', role: 0 })
  })
})
