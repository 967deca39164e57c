import './zod-without-eval.ts';
import { createRoot } from 'react-dom/client';
import { Court } from './Court.tsx';
import '../web/styles/tokens.css';
import '../web/styles/global.css';
import './court.css';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(<Court />);
