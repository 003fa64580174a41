import { describe, expect, it } from 'vitest'
import {
  addressAfterSignIn,
  isLoginPath,
  loginAddressFor,
  passwordChangedAddress,
  signInReason,
} from '../../../src/session/signInAddress.ts'

const origin = 'https://panel.example'
const next = (address: string) => addressAfterSignIn(`?${new URLSearchParams({ next: address })}`, origin)

describe('after signing in', () => {
  it('the asked address opens, with its query', () => {
    expect(next('/dashboard/server-group?page=2&pageSize=20')).toBe('/dashboard/server-group?page=2&pageSize=20')
    expect(next('/dashboard/server/3#note')).toBe('/dashboard/server/3#note')
    expect(next(`${origin}/dashboard/server/3`)).toBe('/dashboard/server/3')
  })

  it('home opens when no address was asked for', () => {
    expect(addressAfterSignIn('', origin)).toBe('/dashboard')
    expect(addressAfterSignIn('?ended=1', origin)).toBe('/dashboard')
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
  const at = (pathname: string, search = '') => loginAddressFor({ pathname, search, hash: '' })
  expect(at('/dashboard')).toBe('/dashboard/login')
  expect(at('/dashboard/')).toBe('/dashboard/login')
  expect(next(new URLSearchParams(at('/dashboard/nat', '?page=2&x=a%26b').split('?')[1]).get('next') ?? '')).toBe(
    '/dashboard/nat?page=2&x=a%26b',
  )
})

it('the form says why it is there', () => {
  expect(signInReason('?ended=1&next=/dashboard/nat')).toBe('ended')
  expect(signInReason('?next=/dashboard/nat')).toBe('first')
  expect(signInReason(new URL(passwordChangedAddress, 'http://a').search)).toBe('changed')
  expect(signInReason('')).toBeUndefined()
})

it('the form knows its own address', () => {
  expect(isLoginPath('/dashboard/login/')).toBe(true)
  expect(isLoginPath('/dashboard/login-history')).toBe(false)
})
