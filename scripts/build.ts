import { build } from 'vite'
import { readArguments } from './bootstrap/arguments.mjs'
import { reportBundles } from './build/reportBundles.ts'

const { flags } = readArguments({
  name: 'npm run build --',
  description: 'Builds the console, the status page and the page of the API into dist/.',
  flags: { report: 'also prints what the largest files consist of' },
})
await build({ plugins: flags.includes('report') ? [reportBundles()] : [] })
