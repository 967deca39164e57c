/** The questions on the profile, as one script. */
export { AgeQuestion } from './AgeQuestion.tsx';
export { HomeScreenCard } from './HomeScreenCard.tsx';
export { PushAsk } from './PushAsk.tsx';
export { WallAsk } from './WallAsk.tsx';
