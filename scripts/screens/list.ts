import { customerScreens } from './customer.ts'
import { operatorScreens } from './operator.ts'
import type { Screen } from './screen.ts'

/** Every screen of the store. */
export const screens: Screen[] = [...customerScreens, ...operatorScreens]
