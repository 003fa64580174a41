import { textsIn } from '../define/text.ts'
import { laterRa } from '../reactAdmin/en-US.ts'
import { laterTexts } from './texts.ts'

export default { ra: laterRa, ...textsIn('en', laterTexts) }
