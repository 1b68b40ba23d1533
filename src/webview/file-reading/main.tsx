import { showPage } from '../shared/show-page.tsx';
import { ReadingView } from './page.tsx';
import './style.css';

showPage(ReadingView);
