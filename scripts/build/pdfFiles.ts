import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const packageFolder = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')))

/**
 * What pdf.js fetches when a document needs it, by folder: tables for Chinese, Japanese and Korean text, the two of the
 * fonts that need not be in a document which no system has, and decoders for scanned pages that need no WebAssembly.
 */
const fetched: Readonly<Record<string, RegExp>> = {
  cmaps: /\.bcmap$|^LICENSE/,
  standard_fonts: /^Foxit(Symbol|Dingbats)\.pfb$|^LICENSE_FOXIT$/,
  wasm: /_nowasm_fallback\.js$|^LICENSE(_PDFJS)?_(JBIG2|OPENJPEG)$/,
}

/** A vite plugin: lays these files beside the console, in a folder with the version, so that they can be cached for ever. */
export function pdfFiles(): Plugin {
  return {
    name: 'wheelhouse:pdf-files',
    apply: 'build',
    generateBundle() {
      const { version }: { version: string } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
      for (const [folder, names] of Object.entries(fetched)) {
        for (const name of readdirSync(join(packageFolder, folder))) {
          if (!names.test(name)) continue
          const fileName = `assets/pdfjs-${version}/${folder}/${name}`
          this.emitFile({ type: 'asset', fileName, source: readFileSync(join(packageFolder, folder, name)) })
        }
      }
    },
  }
}
