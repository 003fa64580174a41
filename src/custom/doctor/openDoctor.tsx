import type { Root } from 'react-dom/client'
import { startLocale } from '../login/site.ts'
import { Doctor } from './Doctor.tsx'
import { loadTexts } from './texts/index.ts'

/** Puts the page in its place, in the language of the browser. */
export async function openDoctor(root: Root): Promise<void> {
  root.render(<Doctor first={await loadTexts(startLocale())} />)
}
