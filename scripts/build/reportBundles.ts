import type { Plugin } from 'vite'
import { chunksIn } from './chunkGroups.ts'

/** How many packages or folders of a file are named. */
const named = 25

/**
 * A vite plugin: after the build, prints what the largest files consist of, by package and by folder of our own code.
 * Kilobytes are those before minifying and compressing: they compare, and add up to more than the file has.
 */
export function reportBundles(): Plugin {
  return {
    name: 'wheelhouse:report-bundles',
    apply: 'build',
    writeBundle(_options, bundle) {
      const chunks = [...chunksIn(Object.values(bundle)).values()]
      for (const { fileName, code, modules } of chunks.toSorted((a, b) => b.code.length - a.code.length).slice(0, 8)) {
        console.log(`\n${fileName}  ${kilobytes(code.length)}`)
        const sizes = new Map<string, number>()
        for (const [id, { renderedLength }] of Object.entries(modules)) {
          sizes.set(ownerOf(id), (sizes.get(ownerOf(id)) ?? 0) + renderedLength)
        }
        const largest = [...sizes].toSorted(([, a], [, b]) => b - a).slice(0, named)
        const most = largest[0]?.[1] ?? 1
        for (const [owner, size] of largest) {
          console.log(
            `  ${kilobytes(size).padStart(9)}  ${owner.padEnd(48)} ${'#'.repeat(Math.ceil((size / most) * 40))}`,
          )
        }
      }
    },
  }
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

/** A package, or a folder of ours. */
function ownerOf(id: string): string {
  const path = id.replaceAll('\\', '/').replace(/^\0/, '').split('?')[0] ?? ''
  const [, inPackage] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? []
  if (inPackage) return inPackage
  const [, ours = path] = /\/((?:src|i18n)\/.*)\/[^/]*$/.exec(path) ?? []
  return ours
}
