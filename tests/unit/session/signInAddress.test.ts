import { describe, expect, it } from 'vitest'
import { changedAddress, isLogin, loginFor, nextAddress, reasonOf } from '../../../src/session/signInAddress.ts'

const origin = 'https://panel.example'
const next = (address: string) => nextAddress(`?${new URLSearchParams({ next: address })}`, origin)

describe('after signing in', () => {
  it('the asked address opens, with its query', () => {
    expect(next('/dashboard/server-group?page=2&pageSize=20')).toBe('/dashboard/server-group?page=2&pageSize=20')
    expect(next('/dashboard/server/3#note')).toBe('/dashboard/server/3#note')
    expect(next(`${origin}/dashboard/server/3`)).toBe('/dashboard/server/3')
  })

  it('home opens when no address was asked for', () => {
    expect(nextAddress('', origin)).toBe('/dashboard')
    expect(nextAddress('?ended=1', origin)).toBe('/dashboard')
  })

  it.each([
    'https://evil.example/dashboard',
    '//evil.example/dashboard',
    '\\\\evil.example/dashboard',
    '/\\evil.example/dashboard',
    'javascript:alert(1)//dashboard',
    '/api/v1/setting',
    '/dashboards',
    '/dashboard/../api/v1/setting',
    '/dashboard/%2e%2e/api',
    'http://[',
  ])('nobody is led out of the console by %s', (address) => {
    expect(next(address)).toBe('/dashboard')
  })

  it('the form does not lead to itself', () => {
    expect(next('/dashboard/login?next=/dashboard/login')).toBe('/dashboard')
    expect(next('/dashboard/login/')).toBe('/dashboard')
  })
})

it('the form keeps the address that was asked for, and does not mention home', () => {
  const at = (pathname: string, search = '') => loginFor({ pathname, search, hash: '' })
  expect(at('/dashboard')).toBe('/dashboard/login')
  expect(at('/dashboard/')).toBe('/dashboard/login')
  expect(next(new URLSearchParams(at('/dashboard/nat', '?page=2&x=a%26b').split('?')[1]).get('next') ?? '')).toBe(
    '/dashboard/nat?page=2&x=a%26b',
  )
})

it('the form says why it is there', () => {
  expect(reasonOf('?ended=1&next=/dashboard/nat')).toBe('ended')
  expect(reasonOf('?next=/dashboard/nat')).toBe('first')
  expect(reasonOf(new URL(changedAddress, 'http://a').search)).toBe('changed')
  expect(reasonOf('')).toBeUndefined()
})

it('the form knows its own address', () => {
  expect(isLogin('/dashboard/login/')).toBe(true)
  expect(isLogin('/dashboard/login-history')).toBe(false)
})
