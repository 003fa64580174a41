import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesLoaded, type Manifest, measureEntry } from '../../../scripts/build/bundleSize.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const manifest: Manifest = {
  'index.html': { file: 'entry.js', isEntry: true, imports: ['_react.js'], css: ['entry.css'] },
  '_react.js': { file: 'react.js' },
  'src/app/App.tsx': { file: 'app.js', isDynamicEntry: true, imports: ['index.html', '_mui.js'], css: ['app.css'] },
  '_mui.js': { file: 'mui.js', imports: ['_react.js', '_loop.js'] },
  '_loop.js': { file: 'loop.js', imports: ['_mui.js'] },
  'src/Dialog.tsx': { file: 'dialog.js', isDynamicEntry: true },
}

describe('the weight of the first load', () => {
  it('follows static imports and styles, each file once, and leaves other pages out', () => {
    expect(filesLoaded(manifest, ['index.html'])).toEqual(['entry.css', 'entry.js', 'react.js'])
    expect(filesLoaded(manifest, ['index.html', 'src/app/App.tsx'])).toEqual([
      'app.css',
      'app.js',
      'entry.css',
      'entry.js',
      'loop.js',
      'mui.js',
      'react.js',
    ])
  })

  it('names the pages there are when one is asked for that the build lacks', () => {
    expect(() => filesLoaded(manifest, ['src/Gone.tsx'])).toThrow(
      'The build has no module src/Gone.tsx; loaded on demand are: src/app/App.tsx, src/Dialog.tsx.',
    )
  })

  it('sums the compressed files of the entry', () => {
    const dist = temporaryFolder()
    mkdirSync(join(dist, '.vite'))
    writeFileSync(join(dist, '.vite', 'manifest.json'), JSON.stringify(manifest))
    for (const file of filesLoaded(manifest, Object.keys(manifest))) writeFileSync(join(dist, `${file}.br`), '12345')
    expect(measureEntry(dist)).toBe(15)
  })
})
