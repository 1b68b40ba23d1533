import { showPage } from '../shared/show-page.tsx';
import { ManyPage } from './page.tsx';
import './style.css';

showPage(ManyPage);
