import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(js|css|html|svg|json|map|txt|webmanifest)$/
const compressByBrotli = promisify(brotliCompress)
const compressByGzip = promisify(gzip)

/**
 * A vite plugin: after the build, every text file of the output folder gets a `.br` and a `.gz` sibling, so that the
 * server sends the smallest form that a browser reads and spends no time on it. Over plain http to another machine,
 * browsers read gzip only. zstd is larger than brotli, and browsers that read it read brotli too.
 */
export function precompress(): Plugin {
  let outDir = ''
  return {
    name: 'wheelhouse:precompress',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    // closeBundle runs after the public folder was copied too; writeBundle would miss index.html of other plugins.
    async closeBundle(error) {
      if (error === undefined) await compressFolder(outDir)
    },
  }
}

/** Writes `<file>.br` and `<file>.gz` beside every text file under `folder`, as small as they get. */
export async function compressFolder(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => compressible.test(name))
  await Promise.all(
    files.map(async (name) => {
      const source = readFileSync(join(folder, name))
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: source.length }
      writeFileSync(join(folder, `${name}.br`), await compressByBrotli(source, { params }))
      writeFileSync(join(folder, `${name}.gz`), await compressByGzip(source, { level: 9 }))
    }),
  )
}
