import { readArguments } from './bootstrap/arguments.mjs'

readArguments({
  name: 'npm run screenshots --',
  description: 'Takes the pictures of the README in docs/images: the real console on made-up servers.',
})
// Loaded only now: its server and the driver of the browser take a second, which nobody waits for with `--help`.
const { takeAll } = await import('./screenshots/takeAll.ts')
await takeAll()
