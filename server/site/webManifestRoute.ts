import { finished } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fillPlural } from '../../i18n/fillText.ts'
import type { Locale } from '../../i18n/locales.ts'
import { neutralName, sharePath, webManifest, webManifestPath } from '../../src/domain/app/webManifest.ts'
import type { Store } from '../db/store.ts'
import { readTexts } from '../texts.ts'
import { siteLocale } from './locale.ts'
import { readSite } from './site.ts'

const names = readTexts('names')
const shell = readTexts('shell')

/** Characters of the name: launchers show some twenty, and a site may have any. */
const longestName = 128

/** Bytes of what is shared that are waited for, though nobody keeps them: a service worker takes half of that. */
const longestShared = 512 * 1024 * 1024

/**
 * The manifest of the installed console, with the name of the site and in its language, in place of the file of the build.
 * It is for everybody: browsers fetch it without a session. What is shared with the console never comes here, but where
 * the browser has lost the service worker: nothing of it is kept then.
 */
export function registerWebManifest(app: FastifyInstance, store: Pick<Store, 'value'>): void {
  app.get(webManifestPath, (_request, reply) => {
    const { site_name, language } = readSite(store)
    const lang = siteLocale(language)
    const name = [...site_name.trim()].slice(0, longestName).join('') || neutralName
    return reply
      .type('application/manifest+json')
      .header('cache-control', 'no-cache')
      .send(webManifest({ name, lang, shortcuts: shortcutsIn(lang) }))
  })
  const refuse = async ({ raw }: FastifyRequest, reply: FastifyReply) => {
    // Browsers read a reply when they have sent everything; when the connection closes before, they show an error of theirs.
    const isAwaited = Number(raw.headers['content-length']) <= longestShared
    if (isAwaited) await finished(raw.resume(), { writable: false }).catch(() => {})
    else reply.header('connection', 'close')
    return reply.redirect(`${sharePath}?problem=failed`, 303)
  }
  app.post(sharePath, { onRequest: refuse }, refuse)
}

const shortcutsIn = (locale: Locale) => [
  ...(['server', 'incident'] as const).map((entity) => ({
    name: fillPlural(names[locale].resources[entity].name, 2, locale),
    path: entity === 'server' ? '' : entity,
  })),
  { name: shell[locale].app.shell.terminals, path: 'terminals' },
]
