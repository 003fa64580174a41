import { expect } from 'vitest'
import {
  type ApiClient,
  type ConfigurationSource,
  openServer,
} from '../../../server/commands/configuration/runningServer.ts'
import { type PlanOptions, planConfiguration } from '../../../src/domain/configuration/planConfiguration.ts'
import { readConfiguration } from '../../../src/domain/configuration/readConfiguration.ts'
import { writeConfiguration } from '../../../src/domain/configuration/writeConfiguration.ts'
import type { Browser } from '../console/browser.ts'
import { secret } from '../fakes/verifiedEvent.ts'

/** The configuration of a server as its API gives it. */
export const sourceOf = (browser: Browser): Promise<ConfigurationSource> => openServer(apiOf(browser))

export const apiOf = (browser: Browser): ApiClient => ({
  async send(method, path, body) {
    const { status, body: reply, text } = await browser.call(method, path, { body })
    const { success, data, error } = reply as { success?: boolean; data?: unknown; error?: string }
    if (status === 200 && success) return data
    throw new Error(error ?? text)
  },
})

const variables = { HOOK: 'https://hooks.example.org/in', KEY: secret }
export const variable = '$' + '{HOOK}'
export const key = '$' + '{KEY}'

export async function apply(browser: Browser, text: string, options: PlanOptions = {}): Promise<readonly unknown[]> {
  return applyTo(await sourceOf(browser), text, options)
}

export async function applyTo(
  source: ConfigurationSource,
  text: string,
  options: PlanOptions = {},
): Promise<readonly unknown[]> {
  const stored = await source.read()
  const { changes, problems } = planConfiguration(readConfiguration(text), stored, { variables, ...options })
  expect(problems).toEqual([])
  if (changes.length > 0) await source.apply(changes, stored)
  return changes
}

export const exported = async (browser: Browser, over?: string): Promise<string> =>
  writeConfiguration(await (await sourceOf(browser)).read(), over)

export const idsOf = async (browser: Browser, path: string): Promise<number[]> => {
  const { data } = (await browser.get(path)).body as { data?: { id?: number; group?: { id: number } }[] }
  return (data ?? []).flatMap(({ id, group }) => id ?? group?.id ?? [])
}
