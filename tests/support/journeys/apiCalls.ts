import { type BrowserContext, expect } from '@playwright/test'
import { cookies, csrfHeader } from '../../../src/schemas/define/wireNames.ts'

/** Calls the API as this browser, beside its pages. @returns the body of the reply */
export async function call(context: BrowserContext, method: string, path: string, data?: unknown): Promise<unknown> {
  const csrf = (await context.cookies()).find(({ name }) => name === cookies.csrf)?.value ?? ''
  const reply = await context.request.fetch(`/api/v1/${path}`, { method, data, headers: { [csrfHeader]: csrf } })
  return reply.json()
}

/** Calls the API as `call` does; it has to succeed. @returns the data of the reply */
export async function send(context: BrowserContext, method: string, path: string, data?: unknown): Promise<unknown> {
  const body = await call(context, method, path, data)
  expect(body, `${method} ${path}`).toMatchObject({ success: true })
  return (body as { data: unknown }).data
}
